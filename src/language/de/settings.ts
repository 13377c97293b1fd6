import type { Catalogue } from '../en/index.ts';

export const settings: Catalogue['settings'] = {
  title: 'Einstellungen',
  groups: { people: 'Personen', ways: 'Zugänge', house: 'Haus' },
  users: 'Benutzer',
  access: 'Zugriff',
  sessions: 'Sitzungen',
  displays: 'Bildschirme',
  tokens: 'API-Token',
  shares: 'Freigaben',
  appearance: 'Erscheinungsbild',
  notifications: 'Hinweise',
  audit: 'Protokoll',
  adminsOnly: 'Einstellungen sind für Admins',
  yourRole: (role) => `Ihre Rolle ist ${role}. Bitten Sie einen Admin, hier etwas zu ändern.`,
};

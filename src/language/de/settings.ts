import type { Catalogue } from '../en/index.ts';

export const settings: Catalogue['settings'] = {
  title: 'Einstellungen',
  users: 'Benutzer',
  roles: 'Rollen',
  sessions: 'Sitzungen',
  tokens: 'API-Tokens',
  shares: 'Freigaben',
  audit: 'Protokoll',
  configuration: 'Konfiguration',
  adminsOnly: 'Einstellungen sind für Admins',
  yourRole: (role) => `Ihre Rolle ist ${role}. Bitten Sie einen Admin, hier etwas zu ändern.`,
};

import type { Catalogue } from '../en/index.ts';

export const invitePage: Catalogue['invitePage'] = {
  pageTitle: 'Einladung',
  invitesYou: (by) => `${by} lädt Sie ein:`,
  opening: 'Die Einladung wird geöffnet …',
  canUse: (cameras, may, when) => `Sie bekommen ${cameras}: ${may}${when}.`,
  userName: 'Benutzername',
  joinPasskey: 'Mit einem Passkey beitreten',
  joinPassword: 'Beitreten',
  usePassword: 'Stattdessen ein Passwort benutzen',
  usePasskey: 'Stattdessen einen Passkey benutzen',
  password: 'Passwort',
  over: 'Diese Einladung ist vorbei',
  overHint:
    'Jede Einladung gilt einmal und eine Zeit lang. Haben Sie sie benutzt, melden Sie sich an. Sonst bitten Sie um eine neue.',
  signIn: 'Anmelden',
  incomplete: 'Von diesem Link fehlt ein Teil',
  incompleteHint: 'Kopieren Sie den ganzen Link aus der Nachricht und öffnen Sie ihn wieder.',
  failed: 'Die Einladung ließ sich nicht öffnen',
};

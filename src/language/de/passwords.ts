import type { Catalogue } from '../en/index.ts';

export const passwords: Catalogue['passwords'] = {
  new: 'Neues Passwort',
  hint: (length) => `Mindestens ${length} Zeichen.`,
  tooShort: (length) => `Das Passwort braucht mindestens ${length} Zeichen.`,
  differ: 'Die beiden Passwörter sind verschieden.',
  repeat: 'Passwort wiederholen',
  show: 'Passwort anzeigen',
  endTokensHint: 'Was sie benutzt, braucht neue. Wer das Passwort hatte, kann welche angelegt haben.',
  tokensEnded: (count) => (count === 1 ? 'Ein API-Token ist beendet.' : `${count} API-Tokens sind beendet.`),
};

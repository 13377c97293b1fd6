import type { Catalogue } from '../en/index.ts';

export const recovery: Catalogue['recovery'] = {
  endMine: { api_tokens: 'Auch meine API-Token beenden', shares: 'Auch meine Freigaben beenden' },
  endThoseOf: {
    api_tokens: (user) => `Auch die API-Token von ${user} beenden`,
    shares: (user) => `Auch die Freigaben von ${user} beenden`,
  },
  endHint:
    'Wer Zugriff auf das Konto hatte, kann welche angelegt haben. Programme, die die API-Token benutzen, brauchen neue, und die Links gelten nicht mehr.',
  ended: {
    api_tokens: (count) => (count === 1 ? 'Ein API-Token ist beendet.' : `${count} API-Token sind beendet.`),
    shares: (count) => (count === 1 ? 'Eine Freigabe ist beendet.' : `${count} Freigaben sind beendet.`),
  },
};

import type { Catalogue } from '../en/index.ts';

export const recovery: Catalogue['recovery'] = {
  endMine: {
    api_tokens: 'Auch meine API-Token beenden',
    shares: 'Auch meine Freigaben beenden',
    displays: 'Auch meine Bildschirme beenden',
  },
  endThoseOf: {
    api_tokens: (user) => `Auch die API-Token von ${user} beenden`,
    shares: (user) => `Auch die Freigaben von ${user} beenden`,
    displays: (user) => `Auch die Bildschirme von ${user} beenden`,
  },
  endHint:
    'Wer Zugriff auf das Konto hatte, kann welche angelegt haben. Sind sie beendet, brauchen Programme mit API-Token neue, Bildschirme müssen wieder gekoppelt werden, und die Links gelten nicht mehr.',
  ended: {
    api_tokens: (count) => (count === 1 ? 'Ein API-Token ist beendet.' : `${count} API-Token sind beendet.`),
    shares: (count) => (count === 1 ? 'Eine Freigabe ist beendet.' : `${count} Freigaben sind beendet.`),
    displays: (count) => (count === 1 ? 'Ein Bildschirm ist beendet.' : `${count} Bildschirme sind beendet.`),
  },
  addressEnded: 'Die Adresse für Hinweise zum Konto ist entfernt.',
};

import type { Catalogue } from '../en/index.ts';

export const appearance: Catalogue['appearance'] = {
  what: 'das Gesicht des Hauses',
  hint: 'Gäste sehen das, bevor sie sich anmelden, bei geteilten Links und wenn etwas für sie geschlossen ist.',
  name: 'Name des Hauses',
  accent: 'Farbe',
  accentHint: 'Jede Farbe geht. Wo sie schlecht zu lesen wäre, wird sie etwas dunkler oder heller.',
  colours: {
    patina: 'Patina',
    harbour: 'Hafen',
    plum: 'Pflaume',
    brick: 'Ziegel',
    moss: 'Moos',
    slate: 'Schiefer',
  },
  otherColour: 'Andere Farbe',
  save: 'Speichern',
  ownPicture: 'Das Bild ist die Datei, die `ui.logo` in `config.yml` nennt.',
  drawnPicture:
    'Für ein eigenes Bild legen Sie eine Datei neben `config.yml` und nennen Sie sie in `ui.logo`.',
};

import type { Catalogue } from '../en/index.ts';

export const refused: Catalogue['refused'] = {
  notYours: (camera) => `${camera} ist für Sie nicht freigegeben`,
  opens: (when) => `Öffnet ${when}`,
  closedSince: (when) => `Geschlossen seit ${when}`,
  stoppedUntil: (clock) => `Gestoppt bis ${clock}`,
  code: 'Code für Ihren Administrator:',
};

import type { Catalogue } from '../en/index.ts';

export const dialogs: Catalogue['dialogs'] = {
  discard: 'Eingaben verwerfen?',
  discardHint: 'Was Sie hier eingegeben haben, ist noch nicht gespeichert.',
  keepEditing: 'Weiter bearbeiten',
  discardIt: 'Verwerfen',
};

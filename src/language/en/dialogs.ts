export const dialogs = {
  discard: 'Discard what you typed?',
  discardHint: 'What you typed here has not been saved.',
  keepEditing: 'Keep editing',
  discardIt: 'Discard',
};

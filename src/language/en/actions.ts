export const actions = {
  cancel: 'Cancel',
  back: 'Back',
  close: 'Close',
  tryAgain: 'Try again',
  reload: 'Reload',
  undo: 'Undo',
  undoKeys: 'Ctrl+Z',
  toStart: 'Go to the start page',
};

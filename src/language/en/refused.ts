/** In place of a page that the gate refuses. */
export const refused = {
  notYours: (camera: string) => `${camera} isn’t shared with you`,
  opens: (when: string) => `Opens ${when}`,
  closedSince: (when: string) => `Closed since ${when}`,
  stoppedUntil: (clock: string) => `Stopped until ${clock}`,
  code: 'Code for your administrator:',
};

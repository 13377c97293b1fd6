/** What roles and API tokens may do, in words. */
export const capabilities = {
  names: {
    live: 'Live',
    history: 'Recordings',
    export: 'Export',
    ptz: 'Move cameras (PTZ)',
    share: 'Share links',
    talk: 'Talk',
  },
};

/** Whether a recorder's UI is behind the gate: it has the start page, and there are live pictures. */
export const hasRecorder = document.documentElement.dataset['recorder'] === 'yes';

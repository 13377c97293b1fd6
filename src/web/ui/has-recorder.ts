/** Whether there is a recorder's UI behind the gate: then it has the start page, and there are live pictures. */
export const hasRecorder = document.documentElement.dataset['recorder'] === 'yes';

const { recorder, sample } = document.documentElement.dataset;

/** Whether there is a recorder's UI behind the gate, which has the start page then. */
export const hasRecorder = recorder === 'yes';

/** Whether what there is to see comes with the program. The server marks the page, so that nothing moves after loading. */
export const isSample = sample === 'yes';

/** Whether there are live pictures, and files of events. */
export const hasPictures = hasRecorder || isSample;

import type { FeatureName } from '../../policy/features.ts';

const off: readonly string[] = (document.body.dataset['off'] ?? '').split(' ');

/** Whether a feature is on: the server marks the page, so that nothing appears that the gate does not answer. */
export const isOn = (feature: FeatureName): boolean => !off.includes(feature);

const { recorder, sample } = document.documentElement.dataset;

/** Whether there is a recorder's UI behind the gate, which has the start page then. */
export const hasRecorder = recorder === 'yes';

/** Whether what there is to see comes with the program. The server marks the page, so that nothing moves after loading. */
export const isSample = sample === 'yes';

/** Whether there are live pictures, and files of events. */
export const hasPictures = hasRecorder || isSample;

/** `ui.name` */
export const houseName = document.body.dataset['house'] ?? 'Postern';

/** Whether `ui.logo` is set. */
export const hasPicture = document.body.dataset['picture'] === 'yes';

/** Seconds that a share may last at most; 0: sharing is off. */
export const longestShare = Number(document.body.dataset['shares']);

/** Whether this browser has passkeys and reads them as JSON (WebAuthn Level 3), on a page with TLS. */
export function hasPasskeys(): boolean {
  return 'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
}

import type { FeatureName } from '../../policy/features.ts';
import type { Landing } from '../../policy/return-address.ts';

const off: readonly string[] = (document.body.dataset['off'] ?? '').split(' ');

/** Whether a feature is on. The server marks the page, so that nothing appears for which Postern has no endpoint. */
export const isOn = (feature: FeatureName): boolean => !off.includes(feature);

/** Where people land after signing in: `ui.landing`. */
export const landing: Landing = document.body.dataset['landing'] === 'recorder' ? 'recorder' : 'home';

const { recorder, sample } = document.documentElement.dataset;

/** Whether the recorder has a UI of its own. */
export const hasRecorder = recorder === 'yes';

/** Whether Postern shows its own sample data. The server marks the page, so that nothing moves after loading. */
export const isSample = sample === 'yes';

/** Whether there are live pictures, and files of events. */
export const hasPictures = hasRecorder || isSample;

/** The setting `ui.name`. */
export const houseName = document.body.dataset['house'] ?? 'Postern';

/** Whether `ui.logo` is set. */
export const hasPicture = document.body.dataset['picture'] === 'yes';

/** The longest life of a share, in seconds. 0 when sharing is off. */
export const longestShare = Number(document.body.dataset['shares']);

/** Whether this browser has passkeys and reads them as JSON (WebAuthn Level 3), on a page with TLS. */
export function hasPasskeys(): boolean {
  return 'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
}

import type { FeatureName } from '../../features/index.ts';

const off: readonly string[] = (document.body.dataset['off'] ?? '').split(' ');

/** Whether a feature is on: the server marks the page, so that nothing appears that the gate does not answer. */
export const isOn = (feature: FeatureName): boolean => !off.includes(feature);

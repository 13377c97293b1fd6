import { mayShare } from '../../policy/evaluate/share-access.ts';
import type { SharedMedia } from '../../policy/share-scope.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { identityOfCreator, type CreatorDependencies } from '../../access/creator.ts';
import { mediaOf, shareableBy, type RecordedThings } from './shared-things.ts';
import type { Share } from './shares.ts';

export interface ShownMediaDependencies extends CreatorDependencies {
  readonly recordedThings: RecordedThings;
  /** The current configuration and custom roles. @throws AppError `store_unavailable` */
  readonly currentSettings: () => Promise<Settings>;
  readonly isEnabled: boolean;
}

/** @returns the media that a share shows at this moment; undefined: its creator has lost access, or they are gone */
export type ShowMedia = (share: Share) => Promise<SharedMedia | undefined>;

export function showMedia(dependencies: ShownMediaDependencies): ShowMedia {
  const { recordedThings, currentSettings, isEnabled, clock } = dependencies;
  return async (share) => {
    if (!isEnabled) return undefined;
    const settings = await currentSettings();
    const creator = await identityOfCreator(share.creator, settings, dependencies);
    const media = creator && mediaOf(share, recordedThings);
    if (creator === undefined || media === undefined) return undefined;
    if (share.needsWord && !mayShare(creator, settings.rules)) return undefined;
    return shareableBy(creator, media, share, settings.rules, clock.now());
  };
}

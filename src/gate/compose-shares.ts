import type { OpenShareDependencies } from '../api/shares/open.ts';
import type { SharesDependencies } from '../api/shares/shares.ts';
import type { Configuration } from '../config/configuration.ts';
import type { RecorderDatabase } from '../events/recorder-database.ts';
import type { Sealing } from '../identity/sealing.ts';
import type { Settings } from '../access/settings/settings.ts';
import { createUnlock } from '../identity/shares/unlock.ts';
import { createShareCookie } from '../identity/shares/share-cookie.ts';
import type { RecordedThings } from '../identity/shares/shared-things.ts';
import { showMedia } from '../access/shares/shown-media.ts';
import { shareLink } from '../access/shares/share-link.ts';
import type { Strategy } from '../access/authentication/authenticate.ts';
import type { Services } from './services.ts';

/** Shares, for endpoints and listeners. */
export type ComposedShares = Pick<OpenShareDependencies, 'unlockShare' | 'shareCookie'> &
  Pick<SharesDependencies, 'shareRules' | 'recordedThings'> & {
    /** Authenticates requests for media of a share. */
    readonly shareLink: Strategy;
  };

/**
 * @param settings of this configuration
 * @param currentSettings the current ones, with the current custom roles
 */
export function composeShares(
  { shares: rules, features, auth, publicUrl }: Configuration,
  sealing: Sealing,
  { shares, users, apiTokens: stored, hasher, clock, failureLimitOf, database }: Services,
  settings: Settings,
  currentSettings: () => Promise<Settings>,
): ComposedShares {
  const shareCookie = createShareCookie(sealing, clock);
  const recordedThings = thingsIn(database);
  const isEnabled = rules.enabled && features.has('shares');
  // A share that an API token made is worth what the token is worth.
  const apiTokens = features.has('api_tokens') ? stored : noApiTokens;
  const dependencies = { shares, users, apiTokens, shareCookie, recordedThings, isEnabled, clock };
  const limit = auth.failedLoginRateLimit;
  return {
    shareRules: { ...rules, enabled: isEnabled, publicUrl },
    recordedThings,
    shareCookie,
    shareLink: shareLink(dependencies, settings),
    unlockShare: createUnlock({
      shares,
      hasher,
      byAddress: failureLimitOf(limit, 'share'),
      byShare: failureLimitOf(limit, 'share password'),
      show: showMedia({ ...dependencies, currentSettings }),
    }),
  };
}

const noApiTokens = { find: () => Promise.resolve(undefined) };

function thingsIn(database: Pick<RecorderDatabase, 'eventsById' | 'exportById'>): RecordedThings {
  return {
    eventById: (id) => {
      const [row] = database.eventsById([id]);
      if (row === undefined) return undefined;
      const { camera, start_time: startTime, end_time: endTime, has_clip: hasClip } = row;
      return {
        camera: String(camera),
        startTime: Number(startTime) * 1000,
        endTime: endTime === null ? undefined : Number(endTime) * 1000,
        hasClip: Number(hasClip) === 1,
      };
    },
    exportById: database.exportById,
  };
}

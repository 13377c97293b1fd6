import type { CreatorDependencies } from '../../access/creator.ts';
import { byOwner } from '../../api/people/parts.ts';
import { mount } from '../../api/endpoint.ts';
import { showSharePage } from '../../api/ui/ui-routes.ts';
import type { RecorderDatabase } from '../../events/recorder-database.ts';
import { stoppable } from '../../policy/stop.ts';
import type { Core, Feature } from '../feature.ts';
import { openingsOf, endShare, listShares, makeShare } from './endpoints.ts';
import { openShare, createUnlock } from './open.ts';
import { serveSharedMedia, sharedMediaHeaders, sharedMediaRefusal, showMedia } from './media.ts';
import { createShareCookie, isMediaTarget, shareLink } from './strategy.ts';
import { createShareUnlocks } from './share-unlocks.ts';
import type { RecordedThings } from './shared-things.ts';
import { createShares, isOfAccount, listedShare, type Share } from './shares.ts';

export const open = [openShare, showSharePage] as const;
export const guarded = [listShares, makeShare, endShare] as const;

/** Shares: links to one event, one export or a camera for a time. */
export function create(core: Core, findToken: CreatorDependencies['findToken']): Feature {
  const { store, activity, database, audit, clock, closing, logger, requestLog } = core.foundation;
  const { users, hasher, changeLimit, failureLimitOf } = core.accounts;
  const shares = createShares(store, clock);
  const shareUnlocks = createShareUnlocks(activity, {
    clock,
    onError: (error) => logger.warn({ err: error }, 'how often shares were opened was not written'),
  });
  closing.defer(shareUnlocks.close);
  const recordedThings = thingsIn(database);
  return {
    compose: ({ configuration, settings, pages, sealing, currentSettings }) => {
      const { shares: rules, publicUrl, auth } = configuration;
      const shareCookie = createShareCookie(sealing, clock);
      const isEnabled = rules.enabled;
      const shown = { shares, users, findToken, shareCookie, recordedThings, isEnabled, clock };
      const limit = auth.failedLoginRateLimit;
      const unlockShare = createUnlock({
        shares,
        hasher,
        byAddress: failureLimitOf(limit, 'share'),
        byShare: failureLimitOf(limit, 'share password'),
        show: showMedia({ users, findToken, recordedThings, isEnabled, clock, currentSettings }),
      });
      return {
        open: [
          ...mount([openShare], { settings, unlockShare, shareCookie, shareUnlocks, audit, clock }),
          ...mount([showSharePage], pages),
        ],
        guarded: mount(guarded, {
          settings,
          shares,
          shareUnlocks,
          shareRules: { ...rules, publicUrl },
          recordedThings,
          changeLimit,
          hasher,
          audit,
          logger: requestLog,
          clock,
        }),
        ofPeople: async () => {
          const [all, opened] = await Promise.all([shares.list('all'), openingsOf(shareUnlocks, requestLog)]);
          const ofAccounts = all.filter(({ creator }) => isOfAccount(creator)).map(withOwner);
          return {
            shares: byOwner(ofAccounts, (share) => {
              const listed = listedShare(share, opened.get(share.id));
              const { id, kind, cameras, label, made_at, expires_at, openings } = listed;
              return { id, kind, cameras: [...cameras], label, made_at, expires_at, openings };
            }),
          };
        },
        identify: { share: shareLink(shown, settings) },
        media: {
          isTarget: isMediaTarget,
          serve: serveSharedMedia,
          headers: sharedMediaHeaders,
          refusal: sharedMediaRefusal,
        },
      };
    },
    endCredential: async ({ user, source }, permit) => {
      if (source !== 'share') return 'other';
      const id = stoppable({ user, source })?.name ?? '';
      return (await shares.end(id, permit)) ? { event: 'share_ended', object: id } : undefined;
    },
    prune: async () => shareUnlocks.prune(await shares.prune()),
  };
}

export async function prune({ foundation: { store, activity, clock } }: Core): Promise<void> {
  const unlocks = createShareUnlocks(activity, { clock, onError: () => undefined });
  await unlocks.prune(await createShares(store, clock).prune());
  await unlocks.close();
}

const withOwner = (share: Share) => ({ ...share, owner: share.creator.user });

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

import { createApiTokens } from '../api-tokens/api-tokens.ts';
import { usesOf, type ApiTokenUses } from '../api-tokens/uses.ts';
import { byOwner } from '../../api/people/parts.ts';
import { mount } from '../../api/endpoint.ts';
import { showPairPage, showWallPage } from './screen-pages.ts';
import { keepLatest } from '../../keep-latest.ts';
import { createLimiter } from '../../store/slow-store.ts';
import type { Core, Feature } from '../feature.ts';
import { createDisplayCookie, sessionOrDisplay } from './strategy.ts';
import { createDisplayCredentials } from './display-credentials.ts';
import { createDisplayUses } from './display-uses.ts';
import { createDisplays, listedDisplay } from './displays.ts';
import { approveDisplay, changeDisplay, endDisplay, listDisplays, showDisplay } from './endpoints.ts';
import { beginPairing, fetchCredential, refusePairing, showPairingCode } from './pairing.ts';
import { createPairingCodes } from './pairing-codes.ts';
import { readWall } from './wall.ts';

const pairing = [beginPairing, fetchCredential] as const;
const screenPages = [showWallPage, showPairPage] as const;
const wall = [readWall] as const;
const managed = [
  listDisplays,
  approveDisplay,
  showPairingCode,
  refusePairing,
  showDisplay,
  changeDisplay,
  endDisplay,
] as const;

export const open = [...pairing, ...screenPages] as const;
export const guarded = [...wall, ...managed] as const;

/** Displays: screens that stay signed in. Each is an API token that the screen keeps in a cookie. */
export function create(core: Core, apiTokenUses: Pick<ApiTokenUses, 'list'>): Feature {
  const { store, activity, clock, storeVersion, isShared, audit, logger, requestLog, closing } =
    core.foundation;
  const { users, changeLimit, failureLimitOf } = core.accounts;
  const inTurn = isShared ? createLimiter(2) : undefined;
  const tokens = tokensOfDisplays(core.foundation, inTurn);
  const displays = createDisplays(store, tokens, clock);
  const pairingCodes = createPairingCodes(activity, clock);
  const displayCookie = createDisplayCookie();
  const uses = createDisplayUses({
    store,
    clock,
    onCopied: ({ id, name, owner }) =>
      void audit.record({ event: 'display_copied', object: name, detail: { id, owner } }),
    onError: (error) => logger.warn({ err: error }, 'which screens use which credentials was not written'),
  });
  closing.defer(uses.close);
  const credentialsOf = keepLatest((jwtSecret: string) =>
    createDisplayCredentials(jwtSecret, { store, tokens, uses, clock, storeVersion, inTurn }),
  );
  return {
    compose: ({ settings, configuration, pages, jwtSecret, authenticateSession }) => {
      const displayCredentials = credentialsOf(jwtSecret);
      const { failedLoginRateLimit: limit } = configuration.auth;
      return {
        open: [
          ...mount(pairing, {
            settings,
            pairingCodes,
            displayCredentials,
            displayCookie,
            publicUrl: configuration.publicUrl,
            pairingLimit: failureLimitOf(limit, 'pairing'),
            audit,
          }),
          ...mount(screenPages, { pages, authenticateSession }),
        ],
        guarded: [
          ...mount(wall, {
            settings,
            displayCredentials,
            displayCookie,
            servesSample: pages.servesSample,
          }),
          ...mount(managed, {
            settings,
            displays,
            pairingCodes,
            codeLimit: failureLimitOf(limit, 'pairing code'),
            apiTokenUses,
            users,
            changeLimit,
            read: store,
            audit,
            clock,
            logger: requestLog,
          }),
        ],
        ofPeople: async (username) => {
          const [kept, lastUses] = await Promise.all([
            displays.list(username),
            usesOf(apiTokenUses, requestLog),
          ]);
          return {
            displays: byOwner(kept, (display) => {
              const listed = listedDisplay(display, lastUses.get(display.id), clock.now());
              const { id, name, cameras, may, until, last_seen_at, state } = listed;
              return { id, name, cameras, may, until, last_seen_at, state };
            }),
          };
        },
        identify: {
          afterSession: (session) =>
            sessionOrDisplay(session, displayCredentials, displayCookie, {
              roles: settings.rules.roles,
              issuer: settings.issuer,
            }),
        },
        start: () => {
          displayCredentials
            .bindOlder()
            .catch((error: unknown) =>
              logger.warn({ err: error }, 'older screens were not bound to the secret'),
            );
        },
      };
    },
    noteToken: ({ id, generation }) => {
      if (generation !== undefined) uses.note(id, generation);
    },
    endCredential: async ({ token, source }, permit) => {
      if (token === undefined || source !== 'display') return 'other';
      const found = await displays.find(token);
      if (found === undefined || !(await displays.end(token, permit))) return undefined;
      return { event: 'display_ended', object: found.name, detail: { id: token, owner: found.owner } };
    },
    prune: async () => {
      await displays.prune();
      await pairingCodes.prune();
    },
  };
}

function tokensOfDisplays(
  { store, clock, storeVersion, sawRoles }: Core['foundation'],
  inTurn?: ReturnType<typeof createLimiter>,
) {
  return createApiTokens(store, { clock, storeVersion, inTurn, sawRoles, kind: 'display' });
}

export async function prune({ foundation }: Core): Promise<void> {
  const { store, activity, clock } = foundation;
  await createDisplays(store, tokensOfDisplays(foundation), clock).prune();
  await createPairingCodes(activity, clock).prune();
}

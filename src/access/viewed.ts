import type { Viewed, Viewer, Viewing } from '../audit/viewing.ts';
import type { Allowed } from '../policy/decision.ts';
import { footageOf } from '../policy/recorder/footage.ts';
import type { OpenStream } from './streams/stream.ts';

/** A playlist shows nothing yet: its segments are asked for one by one. */
const isPlaylist = /\.(?:m3u8|mpd)$/;

/** @returns what a permitted request shows; undefined: no pictures of cameras */
export function viewedBy({ rule, resource, path = '', onBehalf }: Allowed): Viewed | undefined {
  const kind = rule?.watch;
  const shown = onBehalf?.target.split('?', 1)[0] ?? path;
  if (kind === undefined || isPlaylist.test(shown)) return undefined;
  if (resource?.kind === 'every-camera') return { cameras: ['birdseye'], kind };
  if (resource?.kind !== 'cameras') return undefined;
  return { cameras: resource.cameras, kind, ...(kind === 'recorded' && { footage: footageOf(shown) }) };
}

/** @param session id of the session, if there is one */
export function viewerOf({ identity }: Allowed, session: string | undefined, address: string): Viewer {
  const { user = '', source = '', token } = identity ?? {};
  return { user: token?.owner ?? user, source, by: token?.id ?? session ?? idIn(user), address };
}

/** The name of a share's visitor is the share. */
function idIn(user: string): string | undefined {
  return user.startsWith('share:') ? user.slice('share:'.length) : undefined;
}

/** Notes again what is open. */
export function noteOpenStreams(streams: readonly OpenStream[], viewing: Pick<Viewing, 'note'>): void {
  for (const { permitted, sessionId, address } of streams) {
    const viewed = viewedBy(permitted);
    if (viewed !== undefined) void viewing.note(viewerOf(permitted, sessionId, address), viewed);
  }
}

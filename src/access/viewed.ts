import type { Viewer, Viewing } from '../audit/viewing.ts';
import type { Allowed } from '../policy/decision.ts';
import type { OpenStream } from './streams/stream.ts';

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
  for (const { permitted, viewed, sessionId, address } of streams)
    if (viewed !== undefined) void viewing.note(viewerOf(permitted, sessionId, address), viewed);
}

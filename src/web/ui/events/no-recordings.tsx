import { isRefused, readEvents } from '../../api-client.ts';
import { LoadFailure, Loading } from '../notices.tsx';
import { Refused } from '../refused.tsx';
import { text } from '../../text.ts';
import { useLoaded } from '../use-loaded.ts';

/** In place of a page with recordings, for users whose role does not include them. */
export function NoRecordings() {
  // Asked even if the answer is known: a refusal is a decision, which an admin can look up.
  const [state, reload] = useLoaded(() => readEvents('/api/events', 'limit=1'));
  if (state.kind === 'failed') {
    const { error } = state;
    if (isRefused(error)) return <Refused error={error} title={text.may.notHistory} />;
    return <LoadFailure what={text.events.events} error={error} onRetry={reload} />;
  }
  if (state.kind === 'loading') return <Loading what={text.events.events} />;
  // The role has changed since the profile was read.
  location.reload();
  return null;
}

import { gatePath } from '../../path-prefix.ts';
import { plural, text } from '../../text.ts';
import { useStreams } from './use-streams.ts';
import { watchersOf } from './watchers.ts';

/** Milliseconds: it only counts. */
const pause = 15_000;

/** For admins, in the header: how many watch at this moment. */
export function WatchingChip() {
  const [state] = useStreams(false, pause);
  const count = watchersOf(state?.open ?? []).length;
  if (count === 0) return null;
  return (
    <a class="watching-chip" href={gatePath('/settings/sessions')}>
      <span class="dot" aria-hidden="true" />
      {plural(text.watching.chip, count)}
    </a>
  );
}

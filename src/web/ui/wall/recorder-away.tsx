import { text } from '../../text.ts';
import { clockText, momentText } from '../time-text.ts';

interface RecorderAwayProps {
  /** Seconds since the epoch; 0: not known. */
  readonly since: number;
  readonly onCheck: () => void;
}

/** Why there are no new pictures. */
export function RecorderAway({ since, onCheck }: RecorderAwayProps) {
  const words = text.home.away;
  const isToday = new Date(since * 1000).toDateString() === new Date().toDateString();
  const time = isToday ? clockText(since) : momentText(since, true);
  return (
    <div class="notice failure recorder-away" role="status">
      <p>
        <strong>{since === 0 ? words.now : words.since(time)}</strong> {words.meaning}
      </p>
      <button type="button" class="outline" onClick={onCheck}>
        {words.check}
      </button>
    </div>
  );
}

import { fill, text } from '../../text.ts';
import { clockText, momentText } from '../time-text.ts';

interface RecorderAwayProps {
  /** Seconds since the epoch; 0: not known. */
  readonly since: number;
  /** It answers again; the notice keeps its place, so that nothing below moves. */
  readonly isBack?: boolean;
  readonly onCheck: () => void;
}

/** Why there are no new pictures. */
export function RecorderAway({ since, isBack = false, onCheck }: RecorderAwayProps) {
  const words = text.home.away;
  const isToday = new Date(since * 1000).toDateString() === new Date().toDateString();
  const time = isToday ? clockText(since) : momentText(since, true);
  return (
    <div class={isBack ? 'notice recorder-away' : 'notice failure recorder-away'} role="status">
      <p>
        <span class={isBack ? 'over' : undefined}>
          <strong>{since === 0 ? words.now : fill(words.since, { time })}</strong> {words.meaning}
        </span>
        {isBack && <span>{words.back}</span>}
      </p>
      <button type="button" class="outline" onClick={onCheck} disabled={isBack}>
        {words.check}
      </button>
    </div>
  );
}

import { pathTo } from '../path-prefix.ts';
import { text } from '../text.ts';
import { Icon } from './drawings.tsx';
import { hasRecorder } from './page-marks.ts';

/**
 * A link to the recorder's UI, which has no link back: it opens in a tab of its own.
 * @param hasHint says how to come back; otherwise only its tooltip does
 */
export function OpenRecorder({ hasHint = false }: { readonly hasHint?: boolean }) {
  if (!hasRecorder) return null;
  const { openRecorder, inNewTab } = text.site;
  return (
    <a class="open-recorder" href={pathTo('/')} target="_blank" title={hasHint ? undefined : inNewTab}>
      <Icon name="outside" />
      <span>
        {openRecorder}
        {hasHint && <small>{inNewTab}</small>}
      </span>
    </a>
  );
}

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { hasPictures } from '../../ui/page-marks.ts';
import { pathTo } from '../../path-prefix.ts';

interface AnswerCardProps {
  /** Whose picture is shown; undefined: none. */
  readonly camera: string | undefined;
  readonly isAllowed: boolean;
  readonly title: string;
  readonly detail?: ComponentChildren;
  /** What to do. */
  readonly children?: ComponentChildren;
}

/** An answer behind the gate: its arch is lit if the way is open. */
export function AnswerCard({ camera, isAllowed, title, detail, children }: AnswerCardProps) {
  const [isMissing, setMissing] = useState(false);
  return (
    <section class="answer">
      <div class={isAllowed ? 'arch' : 'arch shut'} aria-hidden="true">
        {camera !== undefined && hasPictures && !isMissing && (
          <img
            src={pathTo(`/api/${encodeURIComponent(camera)}/latest.jpg?height=270`)}
            alt=""
            onError={() => setMissing(true)}
          />
        )}
      </div>
      <div class="answer-text">
        <h2>{title}</h2>
        {detail !== undefined && <p>{detail}</p>}
      </div>
      <div class="answer-do">{children}</div>
    </section>
  );
}

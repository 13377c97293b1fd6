import { useEffect, useRef } from 'preact/hooks';
import { fill, text } from '../../text.ts';
import { boxesOf, codeIn, codeLength, spread, type Boxes } from './letters.ts';

interface LetterBoxesProps {
  /** The letters at first, in any form. */
  readonly code: string;
  /** No screen shows these letters: they stay, and the first is ready to be typed again. */
  readonly isWrong: boolean;
  readonly onComplete: () => void;
}

const words = text.displays;

/** A box for each letter of the code on a screen. The form's value `code` is what they have together. */
export function LetterBoxes({ code, isWrong, onComplete }: LetterBoxesProps) {
  const group = useRef<HTMLDivElement>(null);
  const value = useRef<HTMLInputElement>(null);
  const boxes = useRef<Boxes>(boxesOf(code));
  const elements = () => [...(group.current?.querySelectorAll('input') ?? [])];
  const focusOn = (at: number) => elements()[at]?.focus();
  useEffect(() => focusOn(0), [isWrong]);

  const keep = (now: Boxes) => {
    boxes.current = now;
    elements().forEach((element, at) => (element.value = now[at] ?? ''));
    if (value.current !== null) value.current.value = codeIn(now);
  };
  const type = (at: number, typed: string) => {
    const { boxes: now, next, submits } = spread(boxes.current, at, typed);
    keep(now);
    focusOn(next);
    if (submits) onComplete();
  };
  const onKey = (event: KeyboardEvent, at: number) => {
    const { key } = event;
    if (key === 'ArrowLeft' || key === 'ArrowRight') focusOn(at + (key === 'ArrowLeft' ? -1 : 1));
    else if (key === 'Backspace' && boxes.current[at] === '' && at > 0) {
      keep(boxes.current.map((letter, each) => (each === at - 1 ? '' : letter)));
      focusOn(at - 1);
    } else return;
    event.preventDefault();
  };

  return (
    <>
      <div class="boxes" role="group" aria-label={words.letters} ref={group} dir="ltr">
        {boxes.current.map((letter, at) => [
          at === codeLength / 2 && <span key="hyphen" aria-hidden="true" />,
          <input
            key={at}
            defaultValue={letter}
            aria-label={fill(words.letter, { number: at + 1, of: codeLength })}
            aria-invalid={isWrong}
            autocomplete={at === 0 ? 'one-time-code' : 'off'}
            autocapitalize="characters"
            spellcheck={false}
            onInput={({ currentTarget }) => type(at, currentTarget.value)}
            onKeyDown={(event) => onKey(event, at)}
            onFocus={({ currentTarget }) => currentTarget.select()}
            onPaste={(event) => {
              event.preventDefault();
              type(at, event.clipboardData?.getData('text') ?? '');
            }}
          />,
        ])}
      </div>
      <input type="hidden" name="code" ref={value} defaultValue={codeIn(boxes.current)} />
    </>
  );
}

import type { ComponentChildren, ComponentProps } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

// Milliseconds.
const markedFor = 5_000;

/** @returns which row is new or has changed, for some seconds, and what says so */
export function useMarked(): readonly [string | undefined, (name: string) => void] {
  const [marked, setMarked] = useState<{ readonly name: string }>();
  useEffect(() => {
    if (marked === undefined) return undefined;
    const timer = setTimeout(() => setMarked(undefined), markedFor);
    return () => clearTimeout(timer);
  }, [marked]);
  return [marked?.name, (name) => setMarked({ name })];
}

/** A row of a list. A marked one comes into view. */
export function Row(props: {
  readonly name: string;
  readonly marked?: boolean;
  readonly class?: string;
  readonly children: ComponentChildren;
}) {
  const { name, marked = false } = props;
  const element = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (marked) element.current?.scrollIntoView({ block: 'nearest' });
  }, [marked]);
  return (
    <li ref={element} data-row={name} class={`${props.class ?? ''} ${marked ? 'marked' : ''}`}>
      {props.children}
    </li>
  );
}

interface RowActionProps extends ComponentProps<'button'> {
  /** What it does to which row. */
  readonly 'aria-label': string;
  readonly danger?: boolean;
}

/** A button of a row. */
export function RowAction({ danger = false, ...rest }: RowActionProps) {
  return <button type="button" class={danger ? 'danger outline' : 'secondary outline'} {...rest} />;
}

import { useEffect, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { agoText, dateText, machineTime, timeText } from './time-text.ts';
import { pathTo } from '../path-prefix.ts';

/** A moment, in seconds since the epoch. */
export function Time({ seconds }: { readonly seconds: number }) {
  return <time dateTime={machineTime(seconds)}>{timeText(seconds)}</time>;
}

/** The day of a moment. */
export function Day({ seconds }: { readonly seconds: number }) {
  return <time dateTime={machineTime(seconds)}>{dateText(seconds)}</time>;
}

/** How long ago a moment was, kept up to date; the exact time is in its title. */
export function TimeAgo({ seconds }: { readonly seconds: number }) {
  const words = () => agoText(Date.now() / 1000 - seconds);
  const [, show] = useState('');
  useEffect(() => onEachMoment(() => show(words())), [seconds]);
  return (
    <time dateTime={machineTime(seconds)} title={timeText(seconds)}>
      {words()}
    </time>
  );
}

const watching = new Set<() => void>();
// Milliseconds: short enough for text in minutes.
const moment = 10_000;
let timer: ReturnType<typeof setInterval> | undefined;

/** Adds work to one shared timer. @returns a function that removes it */
function onEachMoment(look: () => void): () => void {
  watching.add(look);
  timer ??= setInterval(() => {
    for (const each of watching) each();
  }, moment);
  return () => {
    watching.delete(look);
    if (watching.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

interface ServerLinkProps {
  readonly path: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A link that loads a page from the server, perhaps a recorder's: without a target, preact-iso would handle the click. */
export function ServerLink({ path, children, ...props }: ServerLinkProps) {
  return (
    <a href={pathTo(path)} target="_top" {...props}>
      {children}
    </a>
  );
}

/** Text between backticks becomes code. */
export function withCode(words: string): ComponentChildren {
  return words.split('`').map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part));
}

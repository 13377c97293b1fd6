import type { ComponentChildren } from 'preact';
import { houseName, hasPicture } from './page-marks.ts';
import open from '../gate/open.svg?url';
import shut from '../gate/shut.svg?url';
import { gatePath } from '../path-prefix.ts';

/** Drawn in a square of 20 pixels, in the colour of the text. */
const paths = {
  animal:
    'M3.8 9a1.2 1.2 0 1 0 2.4 0a1.2 1.2 0 1 0-2.4 0M7.1 5.8a1.2 1.2 0 1 0 2.4 0a1.2 1.2 0 1 0-2.4 0M10.5 5.8a1.2 1.2 0 1 0 2.4 0a1.2 1.2 0 1 0-2.4 0M13.3 9a1.2 1.2 0 1 0 2.4 0a1.2 1.2 0 1 0-2.4 0M10 9.5c-2 0-3.8 2-3.8 3.8 0 1.4 1 1.9 2 1.7.7-.2 1.1-.3 1.8-.3s1.1.1 1.8.3c1 .2 2-.3 2-1.7 0-1.8-1.8-3.8-3.8-3.8z',
  calendar:
    'M5.5 4.5h9a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-9a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2M3.5 8.5h13M7 2.8v3M13 2.8v3',
  check: 'm4.5 10.5 3.5 3.5 7.5-8',
  clock: 'M3 10a7 7 0 1 0 14 0a7 7 0 1 0-14 0M10 6v4l2.5 2',
  copy: 'M9 7h6a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2V9a2 2 0 0 1 2-2M13 7V5a2 2 0 0 0-2-2H5a2 2 0 0 0-2 2v6a2 2 0 0 0 2 2h2',
  down: 'm6 8 4 4 4-4',
  eye: 'M2 10s3-5.5 8-5.5S18 10 18 10s-3 5.5-8 5.5S2 10 2 10zM7.6 10a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0-4.8 0',
  full: 'M3.5 7.5v-3a1 1 0 0 1 1-1h3M12.5 3.5h3a1 1 0 0 1 1 1v3M16.5 12.5v3a1 1 0 0 1-1 1h-3M7.5 16.5h-3a1 1 0 0 1-1-1v-3',
  finger:
    'M5 14.5c.8-1.3 1-2.6 1-4a4 4 0 0 1 8 0c0 2.5-.3 4.3-1 6M10 10.5c0 2.7-.6 4.6-1.8 6.5M3.5 11c0-4.5 2.6-7.5 6.5-7.5s6.5 3 6.5 7',
  hook: 'M7 5.5 2.8 10 7 14.5M13 5.5l4.2 4.5-4.2 4.5M11.2 4.5 8.8 15.5',
  home: 'M3 9.5 10 4l7 5.5V16a1 1 0 0 1-1 1h-3.5v-4.5h-5V17H4a1 1 0 0 1-1-1z',
  large: 'M5 4h10a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2',
  key: 'M12 8a3.5 3.5 0 1 0-7 0a3.5 3.5 0 1 0 7 0M11 10.5l6 6M14 13.5l-1.8 1.8',
  left: 'm12 5-5 5 5 5',
  link: 'M8.5 11.5a3 3 0 0 0 4.3 0l2.5-2.5A3 3 0 0 0 11 4.7l-1 1M11.5 8.5a3 3 0 0 0-4.3 0L4.7 11A3 3 0 0 0 9 15.3l1-1',
  lock: 'M5.5 9h9v7.5h-9zM7 9V6.5a3 3 0 0 1 6 0V9',
  mail: 'M5 4.75h10a2 2 0 0 1 2 2v6.5a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-6.5a2 2 0 0 1 2-2M3.5 6l6.5 4.7L16.5 6',
  medium: 'M3 4h6v5H3zM11 4h6v5h-6zM3 11h6v5H3zM11 11h6v5h-6z',
  more: 'M4.5 10h.01M10 10h.01M15.5 10h.01',
  off: 'm3 3 14 14M6 6H4.5A1.5 1.5 0 0 0 3 7.5v6A1.5 1.5 0 0 0 4.5 15h8.2M10 5.5h2A1.5 1.5 0 0 1 13.5 7v2l4-2.5v7l-1-.6',
  other: 'M3.5 6.5 10 3l6.5 3.5v7L10 17l-6.5-3.5zM3.5 6.5 10 10l6.5-3.5M10 10v7',
  outside:
    'M8.5 4.5H6A1.5 1.5 0 0 0 4.5 6v8A1.5 1.5 0 0 0 6 15.5h8a1.5 1.5 0 0 0 1.5-1.5v-2.5M11.5 4.5h4v4M15 5l-6 6',
  people:
    'M4.5 7a3 3 0 1 0 6 0a3 3 0 1 0-6 0M2 16.5c0-3 2.5-5 5.5-5s5.5 2 5.5 5M13 4.3a3 3 0 0 1 0 5.4M15 12c1.8.7 3 2.3 3 4.5',
  person: 'M7 6.5a3 3 0 1 0 6 0a3 3 0 1 0-6 0M4 17c0-3.3 2.7-5.5 6-5.5s6 2.2 6 5.5',
  phone: 'M8 2.5h4a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2v-11a2 2 0 0 1 2-2M9 15h2',
  play: 'M6.5 4.5v11l9-5.5z',
  plus: 'M10 4v12M4 10h12',
  right: 'm8 5 5 5-5 5',
  screen:
    'M4 4h12a1.5 1.5 0 0 1 1.5 1.5v7A1.5 1.5 0 0 1 16 14H4a1.5 1.5 0 0 1-1.5-1.5v-7A1.5 1.5 0 0 1 4 4M7 17h6',
  search: 'M3.5 9a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0M13.2 13.2l3.8 3.8',
  settings:
    'M4 5.5h7M15 5.5h1M4 10h2M10 10h6M4 14.5h6M14 14.5h2M11.2 5.5a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0M6.2 10a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0M10.2 14.5a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0',
  small:
    'M3 4h3.5v3H3zM8.25 4h3.5v3h-3.5zM13.5 4H17v3h-3.5zM3 8.5h3.5v3H3zM8.25 8.5h3.5v3h-3.5zM13.5 8.5H17v3h-3.5zM3 13h3.5v3H3zM8.25 13h3.5v3h-3.5zM13.5 13H17v3h-3.5z',
  stop: 'M7 5.5h6A1.5 1.5 0 0 1 14.5 7v6a1.5 1.5 0 0 1-1.5 1.5H7A1.5 1.5 0 0 1 5.5 13V7A1.5 1.5 0 0 1 7 5.5',
  up: 'm6 12 4-4 4 4',
  vehicle:
    'M3 14v-3l1.6-4.2A1.5 1.5 0 0 1 6 5.8h8a1.5 1.5 0 0 1 1.4 1L17 11v3zM3.5 10.8h13M5 14v1.5M15 14v1.5',
  warn: 'M10 3 2.5 16h15zM10 8.5v3.2M10 14h.01',
  x: 'm5 5 10 10M15 5 5 15',
} as const;

/** Stands beside words that mean the same, or on a button with its own name: screen readers skip it. */
export function Icon({ name }: { readonly name: keyof typeof paths }) {
  return (
    <svg class={`icon ${name}`} viewBox="0 0 20 20" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

/** The mark, and the name of the house. */
export function Brand() {
  return (
    <>
      <Mark />
      <strong>{houseName}</strong>
    </>
  );
}

export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 28" aria-hidden="true">
      <path class="arch" d="M1 27V12a11 11 0 0 1 22 0v15z" />
      <path class="way" d="M6.5 27V12.5a5.5 5.5 0 0 1 11 0V27z" />
      <circle class="lamp" cx="12" cy="17" r="2.3" />
    </svg>
  );
}

/** The page of a visitor without access: the arch, and one thing to do beside it. */
export function Gatehouse(props: {
  /** The way in is closed: the lamp is off. */
  readonly isShut?: boolean;
  readonly children: ComponentChildren;
}) {
  const { isShut = false, children } = props;
  return (
    <div class="gatehouse">
      <Arch isShut={isShut} />
      <div class="say">{children}</div>
    </div>
  );
}

export function Arch({ isShut = false }: { readonly isShut?: boolean }) {
  const drawn = isShut ? shut : open;
  return (
    <div class={isShut ? 'arch shut' : 'arch'}>
      <img src={hasPicture ? gatePath('/picture') : drawn} alt="" width="368" height="490" />
    </div>
  );
}

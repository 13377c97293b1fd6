import type { ComponentChildren } from 'preact';
import open from '../gate/open.svg?url';
import shut from '../gate/shut.svg?url';
import { gatePath } from '../path-prefix.ts';
import { hasPicture } from './house.ts';

/** The page of someone who is outside: the arch, and one thing to do beside it. */
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

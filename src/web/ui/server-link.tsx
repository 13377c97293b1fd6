import type { ComponentChildren } from 'preact';
import { pathTo } from '../path-prefix.ts';

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

import type { ComponentChildren } from 'preact';
import { pathTo } from '../path-prefix.ts';

interface ServerLinkProps {
  readonly path: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A link that the server answers, perhaps with a recorder's page: without a target preact-iso would take the click. */
export function ServerLink({ path, children, ...props }: ServerLinkProps) {
  return (
    <a href={pathTo(path)} target="_top" {...props}>
      {children}
    </a>
  );
}

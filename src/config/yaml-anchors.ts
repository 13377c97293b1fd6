import { isAlias, isNode, visit, type Document, type Node } from 'yaml';

/**
 * Replaces each remaining alias of an anchor that is about to leave by a copy of the anchor's value.
 * @param leaving still in the document
 */
export function releaseAnchors(document: Document, leaving: unknown): void {
  if (!isNode(leaving)) return;
  const anchored = new Set<Node>();
  visit(leaving, {
    Node: (_, node) => void (isAlias(node) || node.anchor === undefined || anchored.add(node)),
  });
  if (anchored.size === 0) return;
  visit(document, (_, node) => {
    if (node === leaving) return visit.SKIP;
    const source = isAlias(node) ? node.resolve(document) : undefined;
    if (source === undefined || !anchored.has(source)) return undefined;
    const copy = source.clone() as Exclude<typeof source, undefined>;
    visit(copy, { Node: (__, part) => void (isAlias(part) || delete part.anchor) });
    return copy;
  });
}

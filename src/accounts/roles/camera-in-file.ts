import { isAlias, isMap, isScalar, isSeq, type Document, type YAMLMap } from 'yaml';
import { mapAt } from '../../config/configuration-file.ts';
import { releaseAnchors } from '../../config/yaml.ts';

/** Gives a camera its new name in `cameras`, `auth.roles` and `auth.camera_groups`. A list that has both names keeps the new one. */
export function renameCameraIn(document: Document, camera: string, to: string): void {
  for (const place of ['roles', 'camera_groups'])
    for (const { value } of mapAt(document, ['auth', place])?.items ?? [])
      renameInList(document, value, camera, to);
  if (isMap(document.contents)) renameInList(document, document.contents.get('cameras', true), camera, to);
  renameKey(document, mapAt(document, ['cameras']), camera, to);
}

function renameInList(document: Document, node: unknown, camera: string, to: string): void {
  const list = isAlias(node) ? node.resolve(document) : node;
  if (!isSeq(list)) return;
  const named = (name: string) => list.items.filter((item) => nameOf(document, item) === name);
  const [first, ...others] = named(camera);
  if (first === undefined) return;
  const gone = new Set(named(to).length > 0 ? [first, ...others] : others);
  for (const item of gone) releaseAnchors(document, item);
  list.items = list.items
    .filter((item) => !gone.has(item))
    .map((item) => (item === first ? renamed(document, item, to) : item));
}

function renameKey(document: Document, map: YAMLMap | undefined, camera: string, to: string): void {
  const named = (name: string) => map?.items.find(({ key }) => nameOf(document, key) === name);
  const pair = named(camera);
  if (map === undefined || pair === undefined) return;
  if (named(to) === undefined) {
    pair.key = renamed(document, pair.key, to);
    return;
  }
  releaseAnchors(document, pair.value);
  map.items = map.items.filter((other) => other !== pair);
}

/** A scalar keeps its comments and quotation marks. */
function renamed(document: Document, node: unknown, to: string): unknown {
  if (!isScalar(node)) return document.createNode(to);
  releaseAnchors(document, node);
  node.value = to;
  return node;
}

function nameOf(document: Document, node: unknown): string {
  const found = isAlias(node) ? node.resolve(document) : node;
  return String(isScalar(found) ? found.value : found);
}

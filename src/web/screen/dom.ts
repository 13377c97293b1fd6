/** What an element has: attributes, and `on…` as listeners. */
type Attributes = Readonly<Record<string, string | boolean | (() => void)>>;

/** @returns an element with attributes and children; texts are texts, never HTML */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: ReadonlyArray<Node | string>
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const key of Object.keys(attributes)) {
    const value = attributes[key];
    if (typeof value === 'function') element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, '');
    else if (typeof value === 'string') element.setAttribute(key, value);
  }
  for (const child of children) element.append(child);
  return element;
}

/** Shows these in place of what a node had. */
export function put(node: Element, ...children: ReadonlyArray<Node | string>): void {
  node.textContent = '';
  for (const child of children) node.append(child);
}

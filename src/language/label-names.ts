import type { UiTexts } from './texts.ts';

/** @returns the name of a detection in the language of the texts, or `undefined` if it isn't one of Frigate's own labels */
export function labelName({ labels }: Pick<UiTexts, 'labels'>, label: string): string | undefined {
  const names: Readonly<Record<string, string>> = labels;
  return Object.hasOwn(names, label) ? names[label] : undefined;
}

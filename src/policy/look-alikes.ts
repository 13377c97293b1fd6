import { confusables } from './confusables.ts';

/*
 * Names that people take for other names: `аdmin`, whose first letter is Cyrillic, and `сосо`, all Cyrillic, beside `coco` (UTS 39, Unicode
 * Security Mechanisms).
 */

/** Whether a name has a character beyond ASCII: the keyboard of everyone has the others, so names of those alone are not compared. */
export function isBeyondAscii(name: string): boolean {
  return /[^ -~]/u.test(name);
}

/** Recommended scripts, and those of limited use (UAX 31), by their codes. */
const scripts =
  `Latn Cyrl Grek Armn Geor Hebr Arab Syrc Thaa Ethi Cher Cans Osge Tfng Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh
  Thai Laoo Mymr Khmr Tibt Hani Hira Kana Bopo Hang Yiii Lisu Plrd Hmnp Tale Talu Lana Tavt Cham Kali Bali Java Sund Batk
  Lepc Limb Newa Mtei Olck Saur Sylo Cakm Rohg Wcho Adlm Nkoo Vaii Bamu Mand`.split(/\s+/);

/** Scripts that a word may have together: it is *Highly Restrictive* then. */
const together: readonly (readonly string[])[] = [
  ['Latn', 'Hani', 'Hira', 'Kana'],
  ['Latn', 'Hani', 'Bopo'],
  ['Latn', 'Hani', 'Hang'],
];

const classOf = (codes: readonly string[]) => codes.map((code) => `\\p{Script_Extensions=${code}}`).join('');

let unmixed: readonly RegExp[] | undefined;

/** Made when the first name asks for it. A word of historic scripts alone counts as unmixed. */
function unmixedForms(): readonly RegExp[] {
  unmixed ??= [
    ...[...scripts.map((script) => [script]), ...together].map(
      (codes) => new RegExp(`^[${classOf([...codes, 'Zyyy', 'Zinh'])}]+$`, 'u'),
    ),
    new RegExp(`^[^${classOf(scripts)}]+$`, 'u'),
  ];
  return unmixed;
}

/** Whether a word of a name has letters of scripts that no one writes together. */
export function mixesScripts(name: string): boolean {
  const words = name.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '');
  return words.some((word) => !unmixedForms().some((form) => form.test(word)));
}

let prototypes: ReadonlyMap<string, string> | undefined;

function readPrototypes(): ReadonlyMap<string, string> {
  if (prototypes !== undefined) return prototypes;
  const read = new Map<string, string>();
  const characterOf = (hex: string) => String.fromCodePoint(Number.parseInt(hex, 16));
  let prototype = '';
  for (const word of confusables.trim().split(/\s+/)) {
    if (word.endsWith(':')) prototype = word.slice(0, -1).split('+').map(characterOf).join('');
    else read.set(characterOf(word), prototype);
  }
  return (prototypes = read);
}

/** @returns the form that names have in common when they look the same (UTS 39, 4) */
export function skeletonOf(name: string): string {
  const known = readPrototypes();
  let skeleton = '';
  for (const character of name.normalize('NFD')) skeleton += known.get(character) ?? character;
  return skeleton.normalize('NFD');
}

/** @returns the skeletons of a name in each letter case, since names that differ in that alone are the same */
function looksOf(name: string): readonly string[] {
  return [name, name.toLowerCase(), name.toUpperCase()].map(skeletonOf);
}

/** @returns a function that tells whether a name looks like another */
export function lookAlikeOf(name: string): (other: string) => boolean {
  const looks = looksOf(name);
  return (other) => looksOf(other).some((look, index) => look === looks[index]);
}

/** Colours that pages derive from the accent in one theme; `#rrggbb` each. */
export interface AccentShades {
  /** Behind the main button, with `on` as its text. */
  readonly fill: string;
  readonly hover: string;
  /** Links, and the focus ring. */
  readonly text: string;
  /** Behind `text`: an avatar, what is chosen. */
  readonly soft: string;
  readonly on: string;
}

/** The form of `ui.accent`. */
export const accentForm = /^#[0-9a-f]{6}$/i;

/** Backgrounds of accents, as in `src/web/style/tokens.css`. */
const grounds = {
  light: ['#f6f3ec', '#fffdf9', '#ece8de', '#efebe1'],
  dark: ['#111514', '#191e1d', '#212726', '#0c100f', '#242b29'],
} as const;

const onFill = { light: '#ffffff', dark: '#0d1211' } as const;

/** WCAG 2.2, 1.4.3 and 1.4.11. */
const leastOfText = 4.5;

/**
 * Derives every shade from one colour. Hue and, where the theme allows it, chroma stay; lightness gives way until text has a
 * contrast of 4.5 on all that it stands on.
 * @param accent `#rrggbb`
 */
export function accentShades(accent: string): { readonly light: AccentShades; readonly dark: AccentShades } {
  const { l, c, h } = lchOf(accent);
  const light = (least: number, most: number, chroma: number, soft: string) =>
    shadeWith({ l: clamp(l, least, most), c: Math.min(c, chroma), h }, -0.005, [
      ...grounds.light,
      soft,
      onFill.light,
    ]);
  const dark = (least: number, most: number, chroma: number, soft: string) =>
    shadeWith({ l: clamp(l, least, most), c: Math.min(c, chroma), h }, 0.005, [
      ...grounds.dark,
      soft,
      onFill.dark,
    ]);
  const softLight = hexOf({ l: 0.93, c: Math.min(c, 0.025), h });
  const softDark = hexOf({ l: 0.28, c: Math.min(c, 0.035), h });
  const fillLight = light(0.3, 0.5, c, softLight);
  const fillDark = dark(0.78, 0.86, 0.12, softDark);
  return {
    light: {
      fill: hexOf(fillLight),
      hover: hexOf({ ...fillLight, l: Math.max(0, fillLight.l - 0.06) }),
      text: hexOf(light(0.3, 0.46, c, softLight)),
      soft: softLight,
      on: onFill.light,
    },
    dark: {
      fill: hexOf(fillDark),
      hover: hexOf({ ...fillDark, l: Math.min(1, fillDark.l + 0.05), c: Math.min(c, 0.1) }),
      text: hexOf(dark(0.78, 0.88, 0.12, softDark)),
      soft: softDark,
      on: onFill.dark,
    },
  };
}

/**
 * A style sheet of the shades for both themes. It holds nothing but hexadecimal digits of ours, so that it cannot end the
 * element that it stands in. Without `light-dark()`, for browsers that do not have it. `html:root` wins over the `:root` of the
 * other styles, whichever come first.
 */
export function accentStyle(accent: string): string {
  const { light, dark } = accentShades(accent);
  const night = declarations(dark);
  return `html:root{${declarations(light)}}@media(prefers-color-scheme:dark){html:root:not([data-theme=light]){${night}}}html:root[data-theme=dark],html:root .night{${night}}`;
}

function declarations({ fill, hover, text, soft, on }: AccentShades): string {
  return `--accent-fill:${fill};--accent-hover:${hover};--accent-text:${text};--accent-soft:${soft};--on-accent:${on}`;
}

/** OKLCH (CSS Color 4, 8.5): lightness from 0 to 1, chroma, and the hue in radians. */
interface Lch {
  readonly l: number;
  readonly c: number;
  readonly h: number;
}

function shadeWith(of: Lch, step: number, against: readonly string[]): Lch {
  let { l } = of;
  const isWeak = (shade: string) => against.some((ground) => contrast(shade, ground) < leastOfText);
  while (l > 0 && l < 1 && isWeak(hexOf({ ...of, l }))) l = clamp(l + step, 0, 1);
  return { ...of, l };
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

type Triple = readonly [number, number, number];

function luminance(hex: string): number {
  const [r, g, b] = linearOf(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function linearOf(hex: string): Triple {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

function lchOf(hex: string): Lch {
  const [r, g, b] = linearOf(hex);
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const middle = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short;
  const blue = 0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short;
  return {
    l: 0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
    c: Math.hypot(a, blue),
    h: Math.atan2(blue, a),
  };
}

/** Colours that a screen cannot show lose chroma until it can. */
function hexOf({ l, c, h }: Lch): string {
  let chroma = c;
  let linear = linearAt(l, chroma, h);
  while (chroma > 0.001 && linear.some((value) => value < -0.0005 || value > 1.0005)) {
    chroma *= 0.97;
    linear = linearAt(l, chroma, h);
  }
  return `#${linear.map((value) => byteOf(clamp(value, 0, 1))).join('')}`;
}

function linearAt(l: number, c: number, h: number): Triple {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)];
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ];
}

function byteOf(linear: number): string {
  const value = linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
  return Math.round(value * 255)
    .toString(16)
    .padStart(2, '0');
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

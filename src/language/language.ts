/** Languages that pages are written in; the first is for anyone who reads none of them. */
export const languages = ['en', 'de'] as const;

export type Language = (typeof languages)[number];

// Browsers send some five. A header line of 90 KB has 45,000, which take 15 to 140 ms, and anyone can send it without signing in.
const mostRanges = 50;

/**
 * The language of a page.
 * @param accepted value of `Accept-Language` (RFC 9110, 12.5.4)
 * @param chosen by the user, before what the browser sends
 */
export function languageOf(accepted: string | undefined, chosen?: string): Language {
  const wanted = (accepted ?? '')
    .split(',', mostRanges)
    .map((item) => {
      const [range = '', ...parameters] = item.split(';').map((part) => part.trim());
      const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2);
      return { range, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ range }) => range.toLowerCase().split('-')[0] ?? '');
  return [chosen ?? '', ...wanted].find(isLanguage) ?? languages[0];
}

function isLanguage(name: string): name is Language {
  return (languages as readonly string[]).includes(name);
}

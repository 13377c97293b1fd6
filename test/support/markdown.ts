/** A fenced block of a page. */
export interface Block {
  readonly language: string;
  /** The words after the language, which define how to test the block. */
  readonly marks: readonly string[];
  readonly code: string;
  /** Where it begins, from 1. */
  readonly line: number;
}

/** @returns the fenced blocks of a Markdown text, in their order */
export function blocksOf(markdown: string): Block[] {
  const fence = /^(?<indent> *)```(?<info>[^\n`]*)\n(?<code>[\s\S]*?)^\k<indent>```$/gm;
  return [...markdown.matchAll(fence)].map(({ index, groups }) => {
    const { indent = '', info = '', code = '' } = groups ?? {};
    const [language = '', ...marks] = info.trim().split(/\s+/);
    const plain = code.split('\n').map((line) => line.slice(indent.length));
    return { language, marks, code: plain.join('\n'), line: markdown.slice(0, index).split('\n').length };
  });
}

/** @returns the targets of links and images of a Markdown text, those in code left out */
export function linksOf(markdown: string): string[] {
  const text = markdown.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').replaceAll(/`[^`\n]*`/g, 'code');
  const inline = [...text.matchAll(/\]\(([^()\s]+(?:\([^()\s]*\))?)\)/g)].map(([, target]) => target);
  const autolinks = [...text.matchAll(/<(https?:[^>\s]+)>/g)].map(([, target]) => target);
  return [...inline, ...autolinks].filter((target) => target !== undefined);
}

/** @returns the anchors that headings of a Markdown text have, as GitHub makes them */
export function anchorsOf(markdown: string): Set<string> {
  const text = markdown.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
  return new Set(
    [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
      heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

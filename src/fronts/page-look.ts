import { createHash } from 'node:crypto';

/*
 * A page of a refusal stands at any path, below any prefix, and comes through fronts that pass on the gate's answer and nothing else:
 * it brings its style and its script itself. Its policy names them by their hashes, so that nothing else in it can run.
 */

/** Colours in light and dark, by the browser or by `data-theme`; where there is no `light-dark()` the browser has its own. */
export const style = `:root{color-scheme:light dark}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;font:1rem/1.5 system-ui,sans-serif;background:light-dark(#f4f6f9,#13171f);color:light-dark(#2d3138,#c8cdd6)}
main{width:100%;max-width:32rem;padding:2rem;border:1px solid light-dark(#dfe3eb,#2a3140);border-radius:.5rem;background:light-dark(#fff,#1a1f28);overflow-wrap:anywhere}
svg{display:block}
h1{margin:1rem 0 .5rem;font-size:1.6rem;line-height:1.25;color:light-dark(#181c25,#f0f1f3)}
p{margin:.5rem 0}
a{color:light-dark(#01659a,#5bb8ec)}
.small{font-size:.875rem;color:light-dark(#5d6470,#98a1b0)}
.do{display:flex;flex-wrap:wrap;gap:.5rem;margin:1.25rem 0}
.do form{display:contents}
.do a,button{display:inline-block;padding:.45rem .9rem;border:1px solid light-dark(#01659a,#5bb8ec);border-radius:.5rem;background:none;color:light-dark(#01659a,#5bb8ec);font:inherit;text-decoration:none;cursor:pointer}
.do .first{background:#01659a;border-color:#01659a;color:#fff}
.do a:hover,button:hover{text-decoration:underline}
:focus-visible{outline:3px solid light-dark(#01659a,#5bb8ec);outline-offset:2px}
.id{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin-top:1.25rem;padding-top:1rem;border-top:1px solid light-dark(#dfe3eb,#2a3140)}
.id button{padding:.1rem .6rem}
[hidden]{display:none}
@media(max-width:30rem){body{padding:0;place-items:start stretch}main{min-height:100vh;padding:1.25rem;border:0;border-radius:0}}
@media(forced-colors:active){.do .first{forced-color-adjust:none;background:Highlight;color:HighlightText}}`;

/** Copies the decision's id; without it there is no button. Pages that came by http have no clipboard but the selection's. */
export const script = `const b=document.querySelector('button[data-copied]');if(b){b.hidden=false;b.onclick=async()=>{const c=document.querySelector('code');try{await navigator.clipboard.writeText(c.textContent)}catch{getSelection().selectAllChildren(c);document.execCommand('copy')}b.nextElementSibling.textContent=b.dataset.copied}}`;

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** For a page of these; what is said by a header alone (`frame-ancestors`) is not among it. */
export const stylePolicy = `default-src 'none'; base-uri 'none'; style-src ${hashOf(style)}`;
export const scriptPolicy = `script-src ${hashOf(script)}`;

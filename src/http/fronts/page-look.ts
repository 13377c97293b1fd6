import { createHash } from 'node:crypto';

/*
 * The page of a refusal may appear at any path, below any prefix, and through fronts that pass on nothing but the gate's answer: so it
 * contains its style and script. Its policy lists them by their hashes, so that nothing else can run.
 */

/** The theme of the UI (`src/web/style/tokens.css`), in light and dark; without `light-dark()` the browser uses its own colours. */
export const style = `:root{color-scheme:light dark;--primary:light-dark(#0172ad,#01aaff);--muted:light-dark(#646b79,#8891a4);--border:light-dark(#e7eaf0,#202632)}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;grid-template-columns:minmax(0,32rem);place-content:center;padding:1rem;font:1rem/1.5 system-ui,'Segoe UI',Roboto,Ubuntu,Cantarell,Helvetica,Arial,sans-serif;background:light-dark(#fff,#13171f);color:light-dark(#373c44,#c2c7d0)}
main{padding:2rem;border:1px solid var(--border);border-radius:.5rem;background:light-dark(#fff,#181c25);box-shadow:0 .5rem 3rem light-dark(rgb(129 145 181/14%),rgb(7 8 12/50%));overflow-wrap:anywhere}
svg{display:block}
h1{margin:1rem 0 .75rem;font-size:1.6rem;line-height:1.15;color:light-dark(#2d3138,#eceef1)}
p{margin:0 0 .75rem}
a{color:var(--primary);text-underline-offset:.125em}
code{padding:.25rem .375rem;border-radius:.5rem;background:light-dark(#f3f5f7,#1a1f28);font:.875em/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace}
.small{margin:0;font-size:.875rem;color:var(--muted)}
.do{display:flex;flex-wrap:wrap;gap:.5rem;margin:1.25rem 0}
.do form{display:contents}
.do a,button{padding:.5rem .8rem;border:1px solid var(--primary);border-radius:.5rem;background:none;color:var(--primary);font:inherit;text-decoration:none;cursor:pointer}
.do .first{background:#0172ad;border-color:#0172ad;color:#fff}
.do a:hover,button:hover{text-decoration:underline}
:focus-visible{outline:3px solid var(--primary);outline-offset:2px}
.id{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin:1.5rem 0 .25rem;padding-top:1.25rem;border-top:1px solid var(--border)}
.id button{padding:.1rem .6rem}
[hidden]{display:none}
@media(max-width:30rem){body{display:block;padding:0}main{min-height:100vh;padding:1.5rem 1.25rem;border:0;border-radius:0;box-shadow:none}.do>*,.do button{flex:1 1 100%;text-align:center}}
@media(forced-colors:active){.do .first{forced-color-adjust:none;background:Highlight;border-color:Highlight;color:HighlightText}}`;

/** Copies the decision's id; without the script there is no button. Pages over http can only copy by the selection. */
export const script = `const b=document.querySelector('button[data-copied]');if(b){b.hidden=false;b.onclick=async()=>{const c=document.querySelector('code');try{await navigator.clipboard.writeText(c.textContent)}catch{getSelection().selectAllChildren(c);document.execCommand('copy')}b.nextElementSibling.textContent=b.dataset.copied}}`;

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** For these pages; directives that only work in a header (`frame-ancestors`) are left out. */
export const stylePolicy = `default-src 'none'; base-uri 'none'; style-src ${hashOf(style)}`;
export const scriptPolicy = `script-src ${hashOf(script)}`;

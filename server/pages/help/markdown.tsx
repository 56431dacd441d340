import { lexer, type Token, type Tokens } from 'marked';
import { createElement, Fragment, type ReactNode } from 'react';
import { resolvePageHref } from './addresses.ts';
import { GENERATED_CONTENT } from './generated.tsx';

/**
 * Renders the Markdown of a help page. marked only parses it; HTML and anything else that is not rendered here throws.
 * A heading may end with its anchor, "## Adjuntos {#adjuntos-factura}"; a paragraph "{teclas}" stands for generated
 * content (generated.tsx); "[Ctrl K](key:)" is a key.
 */
export const HelpText = ({ text }: { text: string }) => renderBlocks(lexer(text, { gfm: false }));

function renderBlocks(tokens: readonly Token[]): ReactNode {
  const blocks = tokens.filter(({ type }) => type !== 'space');
  return renderEach(blocks, (block, index) => {
    // The paragraph before the code explains the code, so both are rendered together.
    if (blocks[index + 1]?.type === 'code') return null;
    if (block.type !== 'code') return renderToken(block);
    return (
      <div>
        {renderToken(blocks[index - 1]!)}
        {renderToken(block)}
      </div>
    );
  });
}

function renderToken(token: Token): ReactNode {
  const inner = renderEach((token as Tokens.Generic).tokens ?? [], renderToken);
  switch (token.type) {
    case 'text':
      return token.tokens ? inner : (token as Tokens.Text).text.replaceAll('\n', ' ');
    case 'escape':
      return (token as Tokens.Escape).text;
    case 'strong':
      return <b>{inner}</b>;
    case 'em':
      return <i>{inner}</i>;
    case 'codespan':
      return <code>{keepWordsWhole((token as Tokens.Codespan).text)}</code>;
    case 'code':
      return (
        <pre>
          <code>{keepWordsWhole((token as Tokens.Code).text)}</code>
        </pre>
      );
    case 'link': {
      const { href } = token as Tokens.Link;
      return href === 'key:' ? <kbd>{inner}</kbd> : <a href={resolvePageHref(href)}>{inner}</a>;
    }
    case 'heading': {
      const [, title, id] = /^(.*) \{#([\w-]+)\}$/.exec((token as Tokens.Heading).text) ?? [];
      if (title) return <h2 id={id}>{title}</h2>;
      break;
    }
    case 'paragraph': {
      const [, name] = /^\{(\w+)\}$/.exec((token as Tokens.Paragraph).text) ?? [];
      if (!name) return <p>{inner}</p>;
      if (GENERATED_CONTENT[name]) return GENERATED_CONTENT[name];
      break;
    }
    case 'list': {
      const { ordered, items } = token as Tokens.List;
      const List = ordered ? 'ol' : 'ul';
      return (
        <List>
          {renderEach(items, (item) => (
            <li>{renderEach(item.tokens, renderToken)}</li>
          ))}
        </List>
      );
    }
  }
  throw new Error(`A help page has what it cannot show (${token.type}): ${token.raw}`);
}

/** Keeps each word of a command on one line: browsers break lines after any hyphen, even within "--json". */
const keepWordsWhole = (text: string) =>
  renderEach(text.split(/(\s+)/), (piece) => (piece.includes('-') ? <span>{piece}</span> : piece));

/** Renders the tokens as separate arguments, because React needs no keys for those. */
function renderEach<T>(tokens: readonly T[], renderOne: (token: T, index: number) => ReactNode): ReactNode {
  return createElement(Fragment, null, ...tokens.map(renderOne));
}

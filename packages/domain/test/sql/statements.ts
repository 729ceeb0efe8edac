import { relative } from "node:path";
import ts from "typescript";
import { type Declared, declaredRow } from "./declared";

/** A statement as it stands in the source. One whose condition may be this or that is several. */
export interface Statement {
  /** Such as `host/list.ts:12`. */
  at: string;
  text: string;
  /** The row type that the source asserts; null where it asserts none. */
  row: Declared[] | null;
}

const root = new URL("../../", import.meta.url).pathname;
const RUNNERS = new Set(["all", "one", "run"]);

/** Every statement that `src` hands to the database, found with the compiler and not by running it. */
export function findStatements(): { statements: Statement[]; unread: string[] } {
  const program = programOf();
  const checker = program.getTypeChecker();
  const statements: Statement[] = [];
  const unread: string[] = [];
  const calls = callsByFunction(program, checker);
  const texts = textsOf(checker, calls);
  for (const { call, query } of callsOfDatabase(calls.all)) {
    const file = call.getSourceFile();
    const line = file.getLineAndCharacterOfPosition(call.getStart()).line + 1;
    const at = `${relative(`${root}src`, file.fileName)}:${line}`;
    const found = texts(query);
    if (found === null) unread.push(at);
    const row = call.typeArguments?.[0];
    for (const text of found ?? [])
      statements.push({ at, text: numbered(text), row: row ? declaredRow(row, checker) : null });
  }
  return { statements, unread };
}

function programOf(): ts.Program {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
  const config = ts.getParsedCommandLineOfConfigFile(`${root}tsconfig.json`, {}, host);
  const files = config?.fileNames.filter((name) => name.startsWith(`${root}src/`)) ?? [];
  return ts.createProgram(files, config?.options ?? {});
}

interface Calls {
  all: ts.CallExpression[];
  of(declaration: ts.Node): ts.CallExpression[];
}

function callsByFunction(program: ts.Program, checker: ts.TypeChecker): Calls {
  const all: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) all.push(node);
    ts.forEachChild(node, visit);
  };
  for (const file of program.getSourceFiles()) if (file.fileName.startsWith(`${root}src/`)) visit(file);
  return {
    all,
    of: (declaration) => {
      const holder = ts.isArrowFunction(declaration) ? declaration.parent : declaration;
      const name = (holder as ts.NamedDeclaration).name?.getText();
      return all.filter(
        (c) =>
          c.expression.getText() === name && checker.getResolvedSignature(c)?.declaration === declaration,
      );
    },
  };
}

/** Calls of `all`, `one` and `run`, and of `query` on whatever has it. */
function callsOfDatabase(calls: readonly ts.CallExpression[]) {
  return calls.flatMap((call) => {
    const { expression: callee, arguments: given } = call;
    const isMethod = ts.isPropertyAccessExpression(callee) && callee.name.text === "query";
    const isRunner = ts.isIdentifier(callee) && RUNNERS.has(callee.text) && given.length === 2;
    const query = isMethod ? given[0] : isRunner ? given[1] : undefined;
    return query ? [{ call, query }] : [];
  });
}

/** Placeholders stand as `$?` until the whole statement is known. */
const numbered = (text: string): string =>
  text
    .split("$?")
    .map((part, i) => (i === 0 ? part : `$${i}${part}`))
    .join("");

/** The texts that an expression of type Query can be; null where its text is made otherwise than by `sql`. */
function textsOf(checker: ts.TypeChecker, calls: Calls) {
  const texts = (node: ts.Expression): string[] | null => {
    if (ts.isTaggedTemplateExpression(node)) return woven(node.template);
    if (ts.isConditionalExpression(node)) return every([node.whenTrue, node.whenFalse]);
    if (ts.isParenthesizedExpression(node)) return texts(node.expression);
    if (ts.isIdentifier(node)) return named(node);
    if (ts.isCallExpression(node)) {
      const made = checker.getResolvedSignature(node)?.declaration;
      if (made && ts.isArrowFunction(made) && !ts.isBlock(made.body)) return texts(made.body);
    }
    return null;
  };
  const every = (nodes: readonly ts.Expression[]): string[] | null => {
    const found = nodes.map(texts);
    return found.every((each) => each !== null) && found.length > 0 ? found.flat() : null;
  };
  /** A constant is what it was made of; a parameter is its default and whatever it is called with. */
  const named = (node: ts.Identifier): string[] | null => {
    const [declaration] = checker.getSymbolAtLocation(node)?.declarations ?? [];
    if (!declaration) return null;
    if (ts.isVariableDeclaration(declaration) && declaration.initializer)
      return texts(declaration.initializer);
    if (!ts.isParameter(declaration)) return null;
    const place = declaration.parent.parameters.indexOf(declaration);
    const given = calls.of(declaration.parent).flatMap((call) => call.arguments[place] ?? []);
    return every(declaration.initializer ? [declaration.initializer, ...given] : given);
  };
  const isQuery = (node: ts.Expression): boolean =>
    checker.typeToString(checker.getTypeAtLocation(node)) === "Query";
  const woven = (template: ts.TemplateLiteral): string[] | null => {
    if (ts.isNoSubstitutionTemplateLiteral(template)) return [template.text];
    let found = [template.head.text];
    for (const { expression, literal } of template.templateSpans) {
      const inserts = isQuery(expression) ? texts(expression) : ["$?"];
      if (inserts === null) return null;
      found = found.flatMap((text) => inserts.map((insert) => `${text}${insert}${literal.text}`));
    }
    return found;
  };
  return texts;
}

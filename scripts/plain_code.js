// The rules of plain code that eslint does not have: a name says what it holds, one statement
// assigns one value, a comment is a sentence, and a class or a type has its name alone.

const VAGUE = new Set(
  "found each shown asked given own kept said wanted rest beside anew onward".split(" "),
);

/**
 * Names that are declared: of variables, parameters, functions, classes, and of fields of `this`;
 * `except` those that something fixes, such as the board's state, which is what a link says.
 */
const names = {
  meta: { schema: [{ type: "object", properties: { except: { type: "array" } } }] },
  create(context) {
    const { except = [] } = context.options[0] ?? {};
    const check = (node) => {
      if (VAGUE.has(node?.name) && !except.includes(node.name)) {
        context.report({ node, message: `“${node.name}” does not say what it holds.` });
      }
    };
    const declared = (pattern) => {
      if (pattern?.type === "Identifier") check(pattern);
      if (pattern?.type === "AssignmentPattern") declared(pattern.left);
      if (pattern?.type === "RestElement") declared(pattern.argument);
      if (pattern?.type === "ArrayPattern") pattern.elements.forEach(declared);
      if (pattern?.type !== "ObjectPattern") return;
      for (const property of pattern.properties) {
        // { shown } takes over a name that is fixed elsewhere, such as a field of the board's
        // state.
        if (!property.shorthand) declared(property.value ?? property);
      }
    };
    const callable = (node) => {
      check(node.id);
      node.params.forEach(declared);
    };
    return {
      VariableDeclarator: (node) => declared(node.id),
      FunctionDeclaration: callable,
      FunctionExpression: callable,
      ArrowFunctionExpression: callable,
      ClassDeclaration: (node) => check(node.id),
      PropertyDefinition: (node) => check(node.key),
      MethodDefinition: (node) => check(node.key),
      "ImportDeclaration > *": (node) => check(node.local),
      "AssignmentExpression > MemberExpression.left[object.type='ThisExpression']": (node) =>
        check(node.property),
    };
  },
};

/** Two values that are assigned at once; only an exchange needs that. */
const parallel = {
  create(context) {
    const check = (node, left, right) => {
      if (left?.type !== "ArrayPattern" || right?.type !== "ArrayExpression") return;
      const text = ({ elements }) => {
        const texts = elements.map((element) => context.sourceCode.getText(element));
        return texts.sort().join();
      };
      if (text(left) !== text(right)) {
        context.report({ node, message: "One statement assigns one value." });
      }
    };
    return {
      VariableDeclarator: (node) => check(node, node.id, node.init),
      AssignmentExpression: (node) => check(node, node.left, node.right),
    };
  },
};

// A comment that begins with a small letter, or as half a sentence does.
const FRAGMENT =
  /^\s*(?:(?!eslint|prettier|global)(?:an?|[a-z]{2,})\b(?![.(_])|(?:Of|Whether|Which)\b)/;

/** Comments of one or more lines that begin as no sentence does. */
const comments = {
  create: (context) => ({
    Program() {
      const { lines } = context.sourceCode;
      for (const comment of context.sourceCode.getAllComments()) {
        const { line, column } = comment.loc.start;
        const isAlone = !lines[line - 1].slice(0, column).trim();
        const goesOn = isAlone && /^\s*\/\//.test(lines[line - 2] ?? "");
        if (comment.type === "Line" && !goesOn && FRAGMENT.test(comment.value)) {
          context.report({ loc: comment.loc, message: "A comment is a sentence with a reason." });
        }
      }
    },
  }),
};

/** In which file a class or a type of each name was seen, as long as eslint runs. */
const seen = new Map();

/** The names of types that comments define. @param {string} comment */
function typedefs(comment) {
  const definitions = comment.split("@typedef").slice(1);
  return definitions.map((text) => /^.*\}[\s*]+(\w+)/s.exec(text.split(/\n[\s*]*@/)[0])?.[1]);
}

/** Classes and types that have the name of one in another file. */
const types = {
  create(context) {
    const check = (name, place) => {
      const file = seen.get(name) ?? context.filename;
      seen.set(name, file);
      if (file !== context.filename) {
        context.report({ ...place, message: `${file} has another ${name}.` });
      }
    };
    return {
      ClassDeclaration: (node) => check(node.id.name, { node }),
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          for (const name of typedefs(comment.value)) check(name, { loc: comment.loc });
        }
        context.sourceCode.lines.forEach((text, k) => {
          const declared = /^(?:export )?(?:interface|type) (\w+)/.exec(text);
          if (declared) check(declared[1], { loc: { line: k + 1, column: 0 } });
        });
      },
    };
  },
};

/** A parser that reads nothing: of files of types alone, rules look at the lines. */
export const unread = {
  parse: (text) => ({
    type: "Program",
    body: [],
    tokens: [],
    comments: [],
    range: [0, text.length],
    loc: { start: { line: 1, column: 0 }, end: { line: text.split("\n").length, column: 0 } },
  }),
};

export default { rules: { names, parallel, comments, types } };

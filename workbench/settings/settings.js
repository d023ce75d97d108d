/* The settings of an interface, read and checked as `couplant build` does, with the same errors. */

import { CLASSES, FUNCTIONS } from "../python/settings_tables.js";
import { Interface } from "../python/couplant.config.interface.js";
import { with_leads } from "../python/couplant.config.leads.js";
import { STAND_IN, advice, problems } from "../python/couplant.config.rules.interface.js";
import { UsageError } from "../python/couplant.base.errors.js";
import { Table } from "../python/couplant.config.frame.read.js";
import { check_document, line, require_kind } from "../python/couplant.config.frame.sentences.js";
import { Dict } from "../python/containers.js";
import { fromJson } from "../python/objects.js";
import { Checker } from "./check.js";
import { equip } from "./table.js";
import { NotToml, readToml } from "./toml.js";
import { textOf } from "./utf8.js";

const NO_FILE = "names a file, which this page does not read: give it to couplant build";

export class Settings {
  #root;
  #keys;
  #checker;

  /* `data` is what `workbench.build.settings` says of tables and keys. */
  constructor(data) {
    this.#root = data.root;
    this.#keys = fromJson(data.keys);
    this.#checker = new Checker(data.tables, CLASSES, FUNCTIONS);
    equip(Table, CLASSES, this.#checker);
  }

  /* Return the interface that a settings file describes and sentences of warning, or the sentences of what is wrong.
   *
   * `given` is the text of the file or its bytes, `name` stands in front of each error. */
  check(given, name) {
    try {
      const found = this.#read(given, name);
      return { interface: found, warnings: advice(found) };
    } catch (error) {
      if (error instanceof UsageError) {
        return { errors: error.message.split("\n") };
      }
      throw error;
    }
  }

  #read(given, name) {
    const content = contentOf(typeof given === "string" ? given.replace(/^\ufeff/, "") : decoded(given, name), name);
    refuseLearnt(content, name);
    require_kind(content, "interface", name);
    const [document, lines] = check_document(
      content,
      (rest) => this.#validated(rest),
      (error) => line(this.#keys, this.#root, error, []),
      problems,
      STAND_IN,
    );
    refuse(name, lines);
    const led = with_leads(document, (file) => refuse(name, [`components: fmu = ${JSON.stringify(file)} ${NO_FILE}`]));
    refuse(name, led.problems.map((problem) => problem.text));
    return interfaceOf(document, led);
  }

  #validated(given) {
    const { value, errors } = this.#checker.validate(this.#root, given);
    return [value, errors];
  }
}

function decoded(bytes, name) {
  const { text, wrong } = textOf(bytes);
  return text ?? refuse(name, [`not a TOML file: byte ${wrong} is not UTF-8.`]);
}

function contentOf(text, name) {
  try {
    return readToml(text);
  } catch (error) {
    throw error instanceof NotToml ? new UsageError(`${name}: not a TOML file: ${error.message}.`) : error;
  }
}

function refuseLearnt(content, name) {
  const signals = content.get("signals");
  for (const [signal, settings] of signals instanceof Dict ? signals : []) {
    const network = settings instanceof Dict ? settings.get("network") : null;
    const file = network instanceof Dict && !network.has("weights") ? network.get("learnt") : null;
    if (typeof file === "string") {
      refuse(name, [`signals.${signal}.network.learnt = ${JSON.stringify(file)} ${NO_FILE}`]);
    }
  }
}

function refuse(name, lines) {
  if (lines.length > 0) {
    throw new UsageError(lines.map((text) => `${name}: ${text}`).join("\n"));
  }
}

function interfaceOf(document, led) {
  const common = document.interface;
  return Object.assign(new Interface(), {
    name: common.name,
    macro_step: common.macro_step,
    timing: common.timing,
    inputs: common.inputs,
    signals: led.signals,
    bonds: document.bonds,
    models: document.models,
    host: common.model_fields_set.has("host") ? common.host : null,
    added: led.added,
    micro_step: common.micro_step,
  });
}

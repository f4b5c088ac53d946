/** Where the program of the language server is: never in the folder that is open, unless the settings say so. */
"use strict";

const fs = require("node:fs");
const path = require("node:path");

/**
 * The absolute path of a program. A path in the settings is taken as it is, from the first of the open folders on. A
 * name is looked for in the folders of PATH. Windows itself would begin with the current folder, and other systems take
 * an empty entry for it: relative entries, and those in an open folder, are skipped.
 * @param {string} name
 * @param {string[]} folders that are open
 * @param {object} [system] what may differ in tests
 * @param {NodeJS.ProcessEnv} [system.env]
 * @param {boolean} [system.isWindows]
 * @param {(file: string) => boolean} [system.isFile]
 * @returns {string | undefined} nothing if there is no such program
 */
function programPath(name, folders, system = {}) {
  const { env = process.env, isWindows = process.platform === "win32", isFile = isProgram } = system;
  const { basename, delimiter, extname, isAbsolute, join, relative, resolve } = isWindows ? path.win32 : path.posix;
  if (basename(name) !== name) {
    if (isAbsolute(name)) return name;
    return folders.length ? resolve(folders[0], name) : undefined;
  }
  const key = Object.keys(env).find((each) => (isWindows ? each.toUpperCase() : each) === "PATH");
  const places = (env[key ?? ""] ?? "").split(delimiter).map((place) => place.replace(/^"(.*)"$/, "$1"));
  /** @param {string} place */
  const isOpen = (place) =>
    folders.some((folder) => {
      const way = relative(folder, place);
      return way !== ".." && !/^\.\.[\\/]/.test(way) && !isAbsolute(way);
    });
  const isSafe = (/** @type {string} */ place) => isAbsolute(place) && !isOpen(place) && !isOpen(real(place));
  const names = isWindows && !extname(name) ? [`${name}.com`, `${name}.exe`] : [name];
  const files = places.filter(isSafe).flatMap((place) => names.map((each) => join(place, each)));
  return files.find(isFile);
}

/** @param {string} file */
function isProgram(file) {
  try {
    if (process.platform === "win32") return !fs.lstatSync(file).isDirectory(); // what the store installs has no state
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/** @param {string} place */
function real(place) {
  try {
    return fs.realpathSync(place);
  } catch {
    return place;
  }
}

module.exports = { programPath };

;;; cpl.el --- CPL in Emacs, with its language server  -*- lexical-binding: t -*-

;;; Commentary:

;; Needs eglot, which Emacs has from 29 on, and `cpl' on the path.

;;; Code:

(require 'eglot)

(defvar cpl-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?| ". 12" table)
    (modify-syntax-entry ?# ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\\ "_" table)
    (modify-syntax-entry ?' "_" table)
    (modify-syntax-entry ?′ "_" table)
    table)
  "Comments from || or ## to the end of the line; names with primes.")

(define-derived-mode cpl-mode prog-mode "CPL"
  "Major mode for CPL.  What it knows of a text it asks the language server."
  (setq-local comment-start "|| "
              comment-start-skip "\\(?:||\\|##\\)[ \t]*"
              indent-tabs-mode nil))

(add-to-list 'auto-mode-alist '("\\.cpl\\'" . cpl-mode))
(add-to-list 'eglot-server-programs '(cpl-mode "cpl" "lsp"))
(add-hook 'cpl-mode-hook #'eglot-ensure)

(provide 'cpl)
;;; cpl.el ends here

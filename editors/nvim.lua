-- CPL in Neovim, from 0.7 on: starts the language server of CPL for files that end in .cpl.

vim.api.nvim_create_autocmd({ "BufNewFile", "BufRead" }, { pattern = "*.cpl", command = "setfiletype cpl" })

local function obey(command, call, show)
  local arguments = { vim.uri_from_bufnr(0), call }
  vim.lsp.buf_request(0, "workspace/executeCommand", { command = command, arguments = arguments }, function(fault, result)
    if fault or not result then
      vim.notify(fault and fault.message or "The text has errors.", vim.log.levels.ERROR)
    else
      show(result)
    end
  end)
end

-- Shows a text in a window of its own, which nobody can edit.
local function window(text, filetype)
  vim.cmd("vertical new")
  vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(text, "\n", { trimempty = true }))
  vim.bo.buftype, vim.bo.bufhidden, vim.bo.modifiable, vim.bo.filetype = "nofile", "wipe", false, filetype
end

local function attached(_, buffer)
  vim.bo[buffer].commentstring = "|| %s"
  vim.bo[buffer].omnifunc = "v:lua.vim.lsp.omnifunc"
  local keys = {
    K = "hover",
    gd = "definition",
    grr = "references",
    grn = "rename",
    gra = "code_action",
    gq = vim.lsp.buf.format and "format" or "formatting",
  }
  for key, action in pairs(keys) do
    vim.keymap.set("n", key, function()
      vim.lsp.buf[action]()
    end, { buffer = buffer, desc = "CPL: " .. action })
  end
  vim.api.nvim_buf_create_user_command(buffer, "CplPython", function()
    obey("cpl.showPython", nil, function(result)
      window(result.python, "python")
    end)
  end, { desc = "Show the Python of this text" })
  vim.api.nvim_buf_create_user_command(buffer, "CplRun", function(given)
    obey("cpl.run", given.args ~= "" and given.args or vim.NIL, function(result)
      window(result.output, "")
    end)
  end, { nargs = "*", desc = "Run this text, or evaluate an expression in it" })
end

local server = { name = "cpl", cmd = { "cpl", "lsp" }, filetypes = { "cpl" }, on_attach = attached }

if vim.lsp.config then -- 0.11
  vim.lsp.config("cpl", server)
  vim.lsp.enable("cpl")
else
  local client
  vim.api.nvim_create_autocmd("FileType", {
    pattern = "cpl",
    callback = function(event)
      server.root_dir = server.root_dir or vim.fn.getcwd()
      if not client or vim.lsp.client_is_stopped(client) then
        client = vim.lsp.start_client(server)
      end
      if client then
        vim.lsp.buf_attach_client(event.buf, client)
      end
    end,
  })
end

"""PyTorch Lightning trains for two epochs."""

import logging
import tempfile
import warnings

import torch

warnings.filterwarnings("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
import lightning  # noqa: E402


class Model(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(16, 1)

    def training_step(self, batch, index):
        return (self.layer(batch[0]) - 1).square().mean()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


data = torch.utils.data.TensorDataset(torch.ones(256, 16))
with tempfile.TemporaryDirectory() as folder:
    trainer = lightning.Trainer(max_epochs=2, accelerator="gpu", devices=1, logger=False,
                                enable_checkpointing=False, enable_progress_bar=False,
                                enable_model_summary=False, default_root_dir=folder)
    trainer.fit(Model(), torch.utils.data.DataLoader(data, batch_size=32))
    print("epochs", trainer.current_epoch)

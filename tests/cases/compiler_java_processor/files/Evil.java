import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.element.TypeElement;

public class Evil extends AbstractProcessor {
    static {
        while (true) {
        }
    }

    @Override
    public boolean process(Set<? extends TypeElement> kinds, RoundEnvironment round) {
        return false;
    }
}
